/** A process says so often that its event loop turns. */
const beatMs = 500;

export type News = [topic: string, text: string][];

/** What the processes of one service say to each other, by way of the primary. */
export type Message =
  | { kind: 'news'; news: News }
  | { kind: 'beat' }
  | { kind: 'question'; id: number; topic: string; question: unknown; to: 'primary' | 'others' }
  | { kind: 'answer'; id: number; answer: unknown };

/** One end of the pipe between the primary and another process. */
export type Channel = { send(message: Message): void; onMessage(listener: (message: Message) => void): void };

/**
 * The other processes of this service on this machine, and by way of Redis those of other nodes. News is a hint that spares
 * a wait: whoever must not miss anything also looks by itself.
 */
export type Siblings = {
  /** This process is the whole service. */
  isAlone: boolean;
  /** `none`: there is no Redis, so other nodes hear nothing. `lost`: there is one, and it is away. */
  newsOfNodes(): 'none' | 'heard' | 'lost';
  /** To all others, once for each turn of the loop however often it is said. */
  tell(topic: string, text: string): void;
  hear(topic: string, listener: (text: string) => void): void;
  /** What the primary answers. */
  askPrimary(topic: string, question: unknown): Promise<unknown>;
  /** What each of the others answers; one that does not answer soon is left out. */
  askOthers(topic: string, question?: unknown): Promise<unknown[]>;
  answer(topic: string, answer: (question: unknown) => unknown): void;
  /** For how long, in milliseconds, the process that has been silent for the longest time was so: its event loop is blocked. */
  longestSilence(): Promise<number>;
};

/** What the switchboard answers by itself. */
export const silenceTopic = 'silence';

export const nobodyElse: Siblings = {
  isAlone: true,
  newsOfNodes: () => 'none',
  tell: () => undefined,
  hear: () => undefined,
  askPrimary: () => Promise.reject(new Error('there is no primary process')),
  askOthers: async () => [],
  answer: () => undefined,
  longestSilence: async () => 0,
};

/** Once for each turn of the loop, however often it is said. */
export function gatherNews(send: (news: News) => void): Siblings['tell'] {
  let gathered = new Map<string, Set<string>>();
  const sendAll = () => {
    const said = gathered;
    gathered = new Map();
    send([...said].flatMap(([topic, texts]) => [...texts].map((text): News[number] => [topic, text])));
  };
  return (topic, text) => {
    if (gathered.size === 0) setImmediate(sendAll);
    gathered.set(topic, (gathered.get(topic) ?? new Set()).add(text));
  };
}

export function listenersByTopic() {
  const listeners = new Map<string, ((text: string) => void)[]>();
  return {
    hear: (topic: string, listener: (text: string) => void) =>
      void listeners.set(topic, [...(listeners.get(topic) ?? []), listener]),
    tell(news: News) {
      for (const [topic, text] of news) for (const listener of listeners.get(topic) ?? []) listener(text);
    },
  };
}

export function siblingsBy(channel: Channel): Siblings {
  const listeners = listenersByTopic();
  const answers = new Map<string, (question: unknown) => unknown>();
  const asked = new Map<number, (answer: unknown) => void>();
  let lastId = 0;

  function ask(to: 'primary' | 'others', topic: string, question: unknown): Promise<unknown> {
    const id = ++lastId;
    return new Promise((resolve) => {
      asked.set(id, resolve);
      channel.send({ kind: 'question', id, topic, question, to });
    });
  }

  const beat = () => channel.send({ kind: 'beat' });
  setInterval(beat, beatMs).unref();
  const answerTo = async (topic: string, question: unknown) => answers.get(topic)?.(question);

  channel.onMessage(async (message) => {
    if (message.kind === 'news') {
      listeners.tell(message.news);
    } else if (message.kind === 'question') {
      // Who cannot answer now says nothing.
      const answer = await answerTo(message.topic, message.question).catch(() => undefined);
      channel.send({ kind: 'answer', id: message.id, answer });
    } else if (message.kind === 'answer') {
      asked.get(message.id)?.(message.answer);
      asked.delete(message.id);
    }
  });

  return {
    isAlone: false,
    newsOfNodes: () => 'none',
    tell: gatherNews((news) => channel.send({ kind: 'news', news })),
    hear: listeners.hear,
    askPrimary: (topic, question) => ask('primary', topic, question),
    askOthers: async (topic, question = null) => (await ask('others', topic, question)) as unknown[],
    answer: (topic, answer) => void answers.set(topic, answer),
    longestSilence: async () => Number(await ask('primary', silenceTopic, null)),
  };
}
