// The shapes of addresses.

/** The parameters when a path has that shape: `/g/:id`, `/learn/:topic?`; null when it has not. */
export function match(shape: string, path: string): Record<string, string> | null {
  const want = shape.split('/').filter(Boolean);
  const have = path.split('/').filter(Boolean);
  const found: Record<string, string> = {};
  if (have.length > want.length) return null;
  for (const [i, part] of want.entries()) {
    const given = have[i];
    if (part.startsWith(':')) {
      if (given === undefined) {
        if (part.endsWith('?')) continue;
        return null;
      }
      try {
        found[part.replace(/[:?]/g, '')] = decodeURIComponent(given);
      } catch {
        return null;
      }
    } else if (part !== given) return null;
  }
  return found;
}
