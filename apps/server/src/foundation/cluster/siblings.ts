/** Interval at which a process reports that its event loop runs, in milliseconds. */
const beatMs = 500;

export type News = [topic: string, text: string][];

/** Messages between the processes of one service. The primary passes them on. */
export type Message =
  | { kind: 'news'; news: News }
  | { kind: 'beat' }
  | { kind: 'question'; id: number; topic: string; question: unknown; to: 'primary' | 'others' }
  | { kind: 'answer'; id: number; answer: unknown };

/** One end of the pipe between the primary and another process. */
export type Channel = { send(message: Message): void; onMessage(listener: (message: Message) => void): void };

/**
 * The other processes of this service on this machine and, through Redis, those of other nodes. News may get lost, so
 * it only shortens waiting times: code that must not miss anything also polls.
 */
export type Siblings = {
  /** Whether this process is the whole service. */
  isAlone: boolean;
  /** Whether no other process of the service answers requests. */
  answersAlone: boolean;
  /** `none`: there is no Redis, so other nodes hear nothing. `lost`: Redis is set up but cannot be reached. */
  newsOfNodes(): 'none' | 'heard' | 'lost';
  /** Sends the text to all other processes. Texts of one turn of the event loop are sent together. */
  tell(topic: string, text: string): void;
  hear(topic: string, listener: (text: string) => void): void;
  /** Asks the primary. */
  askPrimary(topic: string, question: unknown): Promise<unknown>;
  /** Asks each of the other processes. The result contains no answer of a process that does not answer soon. */
  askOthers(topic: string, question?: unknown): Promise<unknown[]>;
  answer(topic: string, answer: (question: unknown) => unknown): void;
  /** The longest time, in milliseconds, for which a process has not reported that its event loop runs. */
  longestSilence(): Promise<number>;
};

/** Questions on this topic are answered by the switchboard itself. */
export const silenceTopic = 'silence';

export const nobodyElse: Siblings = {
  isAlone: true,
  answersAlone: true,
  newsOfNodes: () => 'none',
  tell: () => undefined,
  hear: () => undefined,
  askPrimary: () => Promise.reject(new Error('there is no primary process')),
  askOthers: async () => [],
  answer: () => undefined,
  longestSilence: async () => 0,
};

/** Gathers the news of one turn of the event loop, and sends it together. */
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

export function siblingsBy(channel: Channel, { answersAlone = false } = {}): Siblings {
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
      // If the process cannot answer at the moment, it sends undefined, which counts as no answer.
      const answer = await answerTo(message.topic, message.question).catch(() => undefined);
      channel.send({ kind: 'answer', id: message.id, answer });
    } else if (message.kind === 'answer') {
      asked.get(message.id)?.(message.answer);
      asked.delete(message.id);
    }
  });

  return {
    isAlone: false,
    answersAlone,
    newsOfNodes: () => 'none',
    tell: gatherNews((news) => channel.send({ kind: 'news', news })),
    hear: listeners.hear,
    askPrimary: (topic, question) => ask('primary', topic, question),
    askOthers: async (topic, question = null) => (await ask('others', topic, question)) as unknown[],
    answer: (topic, answer) => void answers.set(topic, answer),
    longestSilence: async () => Number(await ask('primary', silenceTopic, null)),
  };
}
