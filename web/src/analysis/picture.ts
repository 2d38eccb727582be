// A position as a picture of its own: SVG that stands alone, and PNG made from it. The colours are those of the page.

import { Geometry, view } from '../board/geometry';
import type { Man } from '../board/men';
import type { Board } from '../core/types';

export interface Colours {
  stone: string;
  line: string;
  names: string;
  white: string;
  whiteRim: string;
  black: string;
  blackRim: string;
}

/** The colours that the board has on the page just now. */
export function coloursOfPage(): Colours {
  const style = getComputedStyle(document.documentElement);
  const of = (name: string) => style.getPropertyValue(name).trim();
  return {
    stone: of('--stone'),
    line: of('--patina'),
    names: of('--names'),
    white: of('--w2'),
    whiteRim: of('--w5'),
    black: of('--b3'),
    blackRim: of('--b1'),
  };
}

export function svgPicture(board: Board, men: readonly Man[], flipped: boolean, colours: Colours): string {
  const geometry = new Geometry(board, flipped);
  const at = (point: string) => geometry.at(point);
  const lines = board.lines.map((line) => `<polyline points="${line.map((point) => `${at(point).x},${at(point).y}`).join(' ')}"/>`);
  const points = board.places.map(({ name }) => `<circle cx="${at(name).x}" cy="${at(name).y}" r="7"/>`);
  const names = board.places
    .filter(({ rank, file }) => rank === 0 || file === 0)
    .flatMap(({ name, rank, file }) => {
      const { x, y } = at(name);
      return [
        ...(rank === 0 ? [`<text x="${x}" y="${view - 11}">${name[0]}</text>`] : []),
        ...(file === 0 ? [`<text x="16" y="${y + 5}">${name.slice(1)}</text>`] : []),
      ];
    });
  const r = geometry.man;
  const discs = men.map(({ point, side }) => {
    const { x, y } = at(point);
    const [face, rim] = side === 'w' ? [colours.white, colours.whiteRim] : [colours.black, colours.blackRim];
    return (
      `<g fill="${face}" stroke="${rim}"><circle cx="${x}" cy="${y}" r="${r}" stroke-width="2"/>` +
      `<circle cx="${x}" cy="${y}" r="${r * 0.65}" stroke-width="1.6" fill="none"/>` +
      `<circle cx="${x}" cy="${y}" r="${r * 0.32}" stroke-width="1.6" fill="none"/></g>`
    );
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${view} ${view}" width="${view}" height="${view}">`,
    `<rect width="${view}" height="${view}" rx="19" fill="${colours.stone}"/>`,
    `<g fill="none" stroke="${colours.line}" stroke-width="4" stroke-linecap="round" stroke-linejoin="round">${lines.join('')}</g>`,
    `<g fill="${colours.line}">${points.join('')}</g>`,
    `<g fill="${colours.names}" font-family="system-ui, sans-serif" font-size="14.5" text-anchor="middle">${names.join('')}</g>`,
    ...discs,
    '</svg>',
  ].join('\n');
}

/** The picture as PNG, twice as large. Rejects when the browser does not draw it. */
export async function pngPicture(svg: string): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 2 * view;
  canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png');
  });
}
