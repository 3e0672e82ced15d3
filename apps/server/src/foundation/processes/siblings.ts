/** What the processes of one service say to each other, by way of the primary. */
export type Message =
  | { kind: 'news'; news: [topic: string, text: string][] }
  | { kind: 'question'; id: number; topic: string; question: unknown; to: 'primary' | 'others' }
  | { kind: 'answer'; id: number; answer: unknown };

/** One end of the pipe between the primary and another process. */
export type Channel = { send(message: Message): void; onMessage(listener: (message: Message) => void): void };

/**
 * The other processes of this service on this machine. News is a hint that spares a wait: whoever must not miss
 * anything also looks by itself, as nodes on other machines do.
 */
export type Siblings = {
  /** This process is the whole service. */
  isAlone: boolean;
  /** To all others, once for each turn of the loop however often it is said. */
  tell(topic: string, text: string): void;
  hear(topic: string, listener: (text: string) => void): void;
  /** What the primary answers. */
  askPrimary(topic: string, question: unknown): Promise<unknown>;
  /** What each of the others answers; one that does not answer soon is left out. */
  askOthers(topic: string): Promise<unknown[]>;
  answer(topic: string, answer: () => unknown): void;
};

export const nobodyElse: Siblings = {
  isAlone: true,
  tell: () => undefined,
  hear: () => undefined,
  askPrimary: () => Promise.reject(new Error('there is no primary process')),
  askOthers: async () => [],
  answer: () => undefined,
};

export function siblingsBy(channel: Channel): Siblings {
  const listeners = new Map<string, ((text: string) => void)[]>();
  const answers = new Map<string, () => unknown>();
  const asked = new Map<number, (answer: unknown) => void>();
  let lastId = 0;
  let news = new Map<string, Set<string>>();

  function sendNews(): void {
    const said = news;
    news = new Map();
    channel.send({
      kind: 'news',
      news: [...said].flatMap(([topic, texts]) => [...texts].map((text) => [topic, text])),
    });
  }

  function ask(to: 'primary' | 'others', topic: string, question: unknown): Promise<unknown> {
    const id = ++lastId;
    return new Promise((resolve) => {
      asked.set(id, resolve);
      channel.send({ kind: 'question', id, topic, question, to });
    });
  }

  const answerTo = async (topic: string) => answers.get(topic)?.();

  channel.onMessage(async (message) => {
    if (message.kind === 'news') {
      for (const [topic, text] of message.news) for (const listener of listeners.get(topic) ?? []) listener(text);
    } else if (message.kind === 'question') {
      // Who cannot answer now says nothing.
      const answer = await answerTo(message.topic).catch(() => undefined);
      channel.send({ kind: 'answer', id: message.id, answer });
    } else if (message.kind === 'answer') {
      asked.get(message.id)?.(message.answer);
      asked.delete(message.id);
    }
  });

  return {
    isAlone: false,
    tell(topic, text) {
      if (news.size === 0) setImmediate(sendNews);
      news.set(topic, (news.get(topic) ?? new Set()).add(text));
    },
    hear: (topic, listener) => void listeners.set(topic, [...(listeners.get(topic) ?? []), listener]),
    askPrimary: (topic, question) => ask('primary', topic, question),
    askOthers: async (topic) => (await ask('others', topic, null)) as unknown[],
    answer: (topic, answer) => void answers.set(topic, answer),
  };
}
