// axe looks at a page as it stands.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe has against the page, each with where it was. */
export async function findings(page: Page, where: string): Promise<string[]> {
  // Through the debugger, which the content policy does not stop.
  await page.evaluate(axe);
  const found = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run(): Promise<{ violations: Violation[]; passes: unknown[] }> } };
    interface Violation {
      id: string;
      impact: string;
      nodes: { html: string; failureSummary: string }[];
    }
    const { violations, passes } = await axe.run();
    if (passes.length < 10) return [`axe looked at next to nothing: ${passes.length} checks passed`];
    return violations.flatMap(({ id, impact, nodes }) =>
      nodes.map((node) => `${impact} ${id}: ${node.html.slice(0, 160)} ${node.failureSummary}`),
    );
  });
  return found.map((one) => `${where}: ${one}`);
}
