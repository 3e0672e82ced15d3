import type { Site } from '../cluster/index.ts';
import { isReady, type Node } from '../cluster/node.ts';
import type { Random } from '../random.ts';
import type { Ledger } from './ledger.ts';

export type Answer = { status: number; body: Record<string, unknown>; text: string };

export type Api = {
  key: string;
  /** A node that was ready recently; any node if none was. */
  anyNode(): Node;
  /**
   * The answer of a success; null for any failure, which goes into the ledger. A client gives up after waiting longer
   * than most users would, and does not know the outcome.
   */
  ask(method: string, path: string, json?: unknown, headers?: Record<string, string>): Promise<Answer | null>;
  stop(): void;
};

const patienceMs = 20_000;
const lookEveryMs = 500;

/** Requests through a load balancer that checks which nodes are ready. */
export function openApi({ nodes, key }: Site, ledger: Ledger, random: Random): Api {
  let ready: readonly Node[] = nodes;
  const looking = setInterval(async () => {
    const states = await Promise.all(nodes.map(({ url }) => isReady(url)));
    ready = nodes.filter((_, index) => states[index]);
  }, lookEveryMs).unref();
  const anyNode = () => random.oneOf(ready.length > 0 ? ready : nodes);
  return {
    key,
    anyNode,
    async ask(method, path, json, headers = {}) {
      const answer = await request(`${anyNode().url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(json !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(json !== undefined && { body: JSON.stringify(json) }),
      });
      if (typeof answer === 'string') ledger.refused(answer);
      else if (answer.status < 300) return answer;
      else judge(ledger, `${method} ${path.replaceAll(/\w{3}_\w{26}/g, '…').replace(/\?.*/, '')}`, answer);
      return null;
    },
    stop: () => clearInterval(looking),
  };
}

type Heard = Answer & { retryAfter: string | null };

async function request(url: string, init: RequestInit): Promise<Heard | string> {
  try {
    const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(patienceMs) });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.includes('json') && text !== '';
    const retryAfter = answer.headers.get('retry-after');
    return { status: answer.status, body: isJson ? JSON.parse(text) : {}, text, retryAfter };
  } catch (error) {
    const { name, cause } = error as Error & { cause?: { code?: string } };
    return name === 'TimeoutError' ? 'no answer' : `connection ${cause?.code ?? 'lost'}`;
  }
}

/** During a fault a service may say that it cannot serve, and when to come back. Any other error is wrong. */
function judge(ledger: Ledger, what: string, { status, text, retryAfter }: Heard): void {
  ledger.refused(String(status));
  if (status === 503 && retryAfter !== null) return;
  ledger.wrongAnswers.push({ what, status, text: text.slice(0, 300) });
}
