// What this browser keeps for the page. Everything works without: then it holds until the page is left.

export function recall(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(`merels.${key}`) ?? 'null');
  } catch {
    return null;
  }
}

/** False when this browser keeps nothing. */
export function keep(key: string, value: unknown): boolean {
  try {
    localStorage.setItem(`merels.${key}`, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
