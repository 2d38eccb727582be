// Requests to the server. What it refuses comes as an ApiError with the code that the protocol names; what did not reach it,
// with the code 'unreachable'.

export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    text: string,
    /** Seconds to wait, when the server asks for that. */
    readonly wait = 0,
  ) {
    super(text);
  }
}

async function send(path: string, options: RequestInit): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(`/api/v1/${path}`, { credentials: 'same-origin', cache: 'no-store', ...options });
  } catch {
    throw new ApiError(0, 'unreachable', 'the server did not answer');
  }
  if (answer.ok) return answer;
  let code = 'unreachable';
  let text = `status ${answer.status}`;
  try {
    const { error } = (await answer.json()) as { error?: { code?: unknown; text?: unknown } };
    if (typeof error?.code === 'string') code = error.code;
    if (typeof error?.text === 'string') text = error.text;
  } catch {
    // Not our server's own words: a proxy, or a server of pages alone.
    if (answer.status === 404 || answer.status === 405) code = 'no-server';
  }
  throw new ApiError(answer.status, code, text, Number(answer.headers.get('Retry-After') ?? 0));
}

async function object<T>(answer: Response): Promise<T> {
  try {
    return (await answer.json()) as T;
  } catch {
    throw new ApiError(answer.status, 'no-server', 'the answer is not of a game server');
  }
}

export const get = async <T>(path: string): Promise<T> => object<T>(await send(path, {}));

export const getText = async (path: string): Promise<string> => (await send(path, {})).text();

export const post = async <T>(path: string, body: unknown = {}): Promise<T> =>
  object<T>(await send(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }));

export const codeOf = (error: unknown): string => {
  if (error instanceof ApiError) return error.code;
  throw error;
};
