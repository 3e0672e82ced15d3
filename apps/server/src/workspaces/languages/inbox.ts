import { createPace } from '../../foundation/concurrency/pace.ts';
import type { Channel } from '../agent/channels.mjs';
import type { Message } from './messages.ts';

const most = 100;

/** Handles the messages of a client one after the other. A client that sends more is slowed down. */
export function createInbox(channel: Channel, handle: (message: Message) => Promise<void>) {
  const waiting: Message[] = [];
  let isBusy = false;

  async function drain(): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    const pace = createPace();
    for (let first = waiting.shift(); first && !channel.destroyed; first = waiting.shift()) {
      await handle(first);
      await pace.maybeYield();
      if (waiting.length < most) channel.resume();
    }
    isBusy = false;
  }

  return {
    add(message: Message): void {
      waiting.push(message);
      if (waiting.length >= most) channel.pause();
      void drain();
    },
    clear(): void {
      waiting.length = 0;
    },
  };
}
