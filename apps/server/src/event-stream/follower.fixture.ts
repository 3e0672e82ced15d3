import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import { waitFor } from '../testing/parts/wait-for.ts';

export type Sent = { id: string; data: Record<string, unknown> & { id: string; event: string } };

export type Follower = {
  events: Sent[];
  /** The last id received, with or without an event. */
  lastId(): string;
  isEnded(): boolean;
  until(count: number): Promise<Sent[]>;
  close(): void;
};

/** The client's credential: a token, or a browser's cookie. */
type Where = { url: string; token?: string; cookie?: string; query?: string; lastId?: string };

const ask = ({ url, token, cookie, query = '', lastId }: Where): ClientRequest =>
  get(`${url}/v1/events${query}`, {
    agent: false,
    headers: {
      accept: 'text/event-stream',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(cookie !== undefined && { cookie }),
      ...(lastId !== undefined && { 'last-event-id': lastId }),
    },
  });

/** Follows events as an EventSource does. Resolves once the answer has begun. */
export async function startFollowing(where: Where): Promise<Follower> {
  const asked = ask(where);
  const answer = await new Promise<IncomingMessage>((resolve, reject) =>
    asked.on('response', resolve).on('error', reject),
  );
  if (answer.statusCode !== 200) throw new Error(`not followed: ${answer.statusCode}`);
  const events: Sent[] = [];
  let [rest, lastId, ended] = ['', '', false];
  answer.setEncoding('utf8').on('data', (chunk: string) => {
    const blocks = (rest + chunk).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      lastId = /^id: (.*)$/m.exec(block)?.[1] ?? lastId;
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (data !== undefined) events.push({ id: lastId, data: JSON.parse(data) });
    }
  });
  answer.on('close', () => {
    ended = true;
  });
  answer.on('error', () => undefined);
  await waitFor('the stream begins', () => lastId !== '');
  return {
    events,
    lastId: () => lastId,
    isEnded: () => ended,
    async until(count) {
      await waitFor(`${count} events arrive`, () => events.length >= count);
      return events;
    },
    close: () => void asked.destroy(),
  };
}

/** The status of a refused stream. */
export async function refusalOf(where: Where): Promise<number> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) =>
    ask(where).on('response', resolve).on('error', reject),
  );
  answer.resume();
  return answer.statusCode ?? 0;
}
