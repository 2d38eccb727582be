// The page's address says what is played: /?rules=nine,fly=0&position=...

export interface Link {
  rules: string | null;
  position: string | null;
}

export function read(search: string): Link {
  const query = new URLSearchParams(search);
  return { rules: query.get('rules'), position: query.get('position') };
}

/** As encodeURIComponent, but what a query may hold as it is stays readable. */
function plain(text: string): string {
  return encodeURIComponent(text)
    .replace(/%20/g, '+')
    .replace(/%2C/g, ',')
    .replace(/%3D/g, '=')
    .replace(/%2F/g, '/');
}

export function write(rules: string, position: string): string {
  const query = `?rules=${plain(rules)}`;
  return position === '' ? query : `${query}&position=${plain(position)}`;
}
