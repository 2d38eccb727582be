// A second core, for looking at rule sets and positions without touching the game.

import { CoreError, type Core } from '../core/core';
import type { Board, Parameter, Preset } from '../core/types';
import { usualRules } from './levels';

export interface RulesView {
  rules: string; // canonical
  preset: string;
  board: Board;
  parameters: readonly Parameter[];
}

export class Drawer {
  readonly presets: readonly Preset[];
  private readonly boards = new Map<string, Board>();

  constructor(private readonly core: Core) {
    // The usual game first, where people look for it; the others as the core has them.
    const all = core.presets();
    this.presets = [...all.filter(({ name }) => name === usualRules), ...all.filter(({ name }) => name !== usualRules)];
  }

  /** What a written rule set is; the error's message when it is none. */
  view(written: string): RulesView | string {
    try {
      const rules = this.core.setRules(written);
      return { rules, preset: rules.split(',')[0]!, board: this.core.board(), parameters: this.core.parameters() };
    } catch (error) {
      if (error instanceof CoreError) return error.message;
      throw error;
    }
  }

  /** The turns of a position that would close a mill, and which; none when the position is not possible. */
  closing(rules: string, position: string): { from: string | null; to: string; closes: string[][] }[] {
    try {
      this.core.setRules(rules);
      this.core.start(position);
      const seen = new Set<string>();
      const found: { from: string | null; to: string; closes: string[][] }[] = [];
      for (const { from, to } of this.core.turns()) {
        // Turns that differ by what they take close the same.
        if (seen.has(`${from} ${to}`)) continue;
        seen.add(`${from} ${to}`);
        const closes = this.core.closing(from, to);
        if (closes.length > 0) found.push({ from, to, closes });
      }
      return found;
    } catch (error) {
      if (error instanceof CoreError) return [];
      throw error;
    }
  }

  boardOf(preset: Preset): Board {
    let board = this.boards.get(preset.board);
    if (!board) {
      this.core.setRules(preset.name);
      board = this.core.board();
      this.boards.set(preset.board, board);
    }
    return board;
  }
}
