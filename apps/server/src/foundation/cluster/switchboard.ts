import type { Channel, Message } from './siblings.ts';

export type Switchboard = {
  connect(channel: Channel): void;
  disconnect(channel: Channel): void;
};

/** The answers of the primary itself, at once. */
export type PrimaryAnswers = Record<string, (question: never) => unknown>;

type Question = Extract<Message, { kind: 'question' }>;

/** A process that is about to die, or very busy, does not keep whoever asks all of them waiting. */
const patienceMs = 1_000;

/** In the primary: passes news on to all others, answers what is asked of itself, and gathers the answers of the others. */
export function createSwitchboard(answers: PrimaryAnswers): Switchboard {
  const channels = new Set<Channel>();
  const asked = new Map<number, (answer: unknown) => void>();
  let lastId = 0;

  function ask(channel: Channel, topic: string, question: unknown): Promise<unknown> {
    const id = ++lastId;
    return new Promise((resolve) => {
      const settle = (answer: unknown) => {
        clearTimeout(late);
        asked.delete(id);
        resolve(answer);
      };
      const late = setTimeout(settle, patienceMs, undefined);
      asked.set(id, settle);
      channel.send({ kind: 'question', id, topic, question, to: 'others' });
    });
  }

  async function answer(from: Channel, { id, topic, question, to }: Question): Promise<void> {
    if (to === 'primary') {
      from.send({ kind: 'answer', id, answer: answers[topic]?.(question as never) });
      return;
    }
    const others = [...channels].filter((one) => one !== from);
    const given = await Promise.all(others.map((one) => ask(one, topic, question)));
    from.send({ kind: 'answer', id, answer: given.filter((one) => one !== undefined && one !== null) });
  }

  return {
    connect(channel) {
      channels.add(channel);
      channel.onMessage((message) => {
        if (message.kind === 'news') for (const other of channels) other !== channel && other.send(message);
        else if (message.kind === 'question') void answer(channel, message);
        else if (message.kind === 'answer') asked.get(message.id)?.(message.answer);
      });
    },
    disconnect: (channel) => void channels.delete(channel),
  };
}
