// The icon as a PNG of any size, for those systems that take no SVG: the drawing of src/icon.svg without its round corners,
// sampled several times a pixel.

import * as zlib from 'node:zlib';

const ground = [0xd8, 0xcc, 0xb4];
const lineColour = [0x6d, 0x5d, 0x44];
const men = [
  { x: 21.5, y: 21.5, face: [0xf7, 0xf0, 0xe0], rim: [0xa0, 0x8a, 0x60] },
  { x: 42.5, y: 42.5, face: [0x43, 0x36, 0x2d], rim: [0x1b, 0x14, 0x0f] },
];

const square = (a, b) => [[a, a, b, a], [b, a, b, b], [b, b, a, b], [a, b, a, a]];
const lines = [
  ...square(11, 53),
  ...square(21.5, 42.5),
  [32, 11, 32, 21.5], [32, 42.5, 32, 53], [11, 32, 21.5, 32], [42.5, 32, 53, 32],
];

const onLine = (x, y) =>
  lines.some(([x1, y1, x2, y2]) => {
    const [left, right] = [Math.min(x1, x2) - 1.7, Math.max(x1, x2) + 1.7];
    const [top, bottom] = [Math.min(y1, y2) - 1.7, Math.max(y1, y2) + 1.7];
    return x >= left && x <= right && y >= top && y <= bottom;
  });

/** The colour at a place of the 64 by 64 drawing. */
function colourAt(x, y) {
  for (const man of men) {
    const away = Math.hypot(x - man.x, y - man.y);
    if (away <= 8.25) return man.face;
    if (away <= 9.75) return man.rim;
  }
  return onLine(x, y) ? lineColour : ground;
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc(body));
  return Buffer.concat([length, body, check]);
}

/** Node has crc32 only since 20.15; before that it is computed here. */
function crc(bytes) {
  if (typeof zlib.crc32 === 'function') return zlib.crc32(bytes);
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return (sum ^ 0xffffffff) >>> 0;
}

export function iconPng(size) {
  const samples = 3;
  const rows = Buffer.alloc(size * (1 + 3 * size));
  // Shrunk a little, so that a system that cuts a circle out of it cuts no line.
  const place = (pixel, part) => ((pixel + (part + 0.5) / samples) / size - 0.5) * 76 + 32;
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const sum = [0, 0, 0];
      for (let i = 0; i < samples * samples; i++) {
        const colour = colourAt(place(x, i % samples), place(y, Math.floor(i / samples)));
        for (let c = 0; c < 3; c++) sum[c] += colour[c];
      }
      const at = y * (1 + 3 * size) + 1 + 3 * x;
      for (let c = 0; c < 3; c++) rows[at + c] = Math.round(sum[c] / (samples * samples));
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 2, 0, 0, 0], 8); // eight bits, red green blue
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', zlib.deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
