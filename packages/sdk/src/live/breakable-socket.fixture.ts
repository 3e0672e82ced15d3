import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { WebSocketConstructor } from './connection.ts';

export type Breakable = {
  WebSocket: WebSocketConstructor;
  /** Breaks as a network does: without notice, losing everything in transit. */
  breakOff(): void;
};

/** Sockets of one client. Messages in both directions are delayed by up to this many milliseconds, in order. */
export function breakableSockets(slowMs: () => number): Breakable {
  let current: WebSocket | null = null;
  class Slow extends WebSocket {
    #last = Promise.resolve();
    constructor(url: string) {
      super(url);
      current = this;
    }
    #late(pass: () => void): void {
      this.#last = this.#last.then(() => delay(slowMs())).then(pass);
    }
    override send(data: string): void {
      this.#late(() => this.readyState === WebSocket.OPEN && super.send(data));
    }
    override emit(name: string, ...given: unknown[]): boolean {
      if (name !== 'message') return super.emit(name as 'open', ...(given as []));
      this.#late(() => this.readyState === WebSocket.OPEN && super.emit('message', ...(given as [Buffer, boolean])));
      return true;
    }
  }
  return { WebSocket: Slow as unknown as WebSocketConstructor, breakOff: () => current?.terminate() };
}
