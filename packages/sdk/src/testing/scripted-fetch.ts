type Step = Response | Error | ((request: Request) => Response | Promise<Response>);

export type ScriptedFetch = typeof fetch & { requests: Request[] };

/** Answers requests in order from a script, and records them. */
export function scriptedFetch(...steps: Step[]): ScriptedFetch {
  const requests: Request[] = [];
  const answer = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(url, init);
    requests.push(request);
    const step = steps.shift();
    if (step === undefined) throw new Error(`nobody expected ${request.method} ${request.url}`);
    if (step instanceof Error) throw step;
    return typeof step === 'function' ? step(request) : step;
  };
  return Object.assign(answer, { requests });
}

export const lostConnection = (): Error => new TypeError('fetch failed', { cause: new Error('read ECONNRESET') });

export const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  Response.json(body, { status, headers });

/** An error as the service sends it. */
export function refusal(
  status: number,
  code: string,
  headers: Record<string, string> = {},
  details: unknown = [],
): Response {
  const error = { code, message: 'Refused', details, request_id: 'req_1', timestamp: '2026-01-01T00:00:00.000Z' };
  return json({ error }, status, headers);
}
