import type { Worker } from 'node:cluster';

/**
 * Each port hands its connections over one at a time, and Node forgets one whose receiver dies before it says that it has it.
 * Its client would wait for ever; told that it has ended, it comes again. They are known by their numbers, since the next
 * one is handed over while the receipt for the last is still being read. A dead process gets more until its channel is
 * read to its end, which 'close' waits for; 'disconnect' never comes while one is on its way.
 */
export function endWhatItWasHanded(child: Worker): void {
  const { process: receiver } = child;
  const send = receiver.send.bind(receiver);
  const handed = new Map<number, { close(): void }>();
  receiver.send = ((...message: Parameters<typeof send>) => {
    const [{ seq }, handle] = message as [{ seq: number }, unknown?];
    if (handle && typeof handle === 'object' && 'close' in handle) handed.set(seq, handle as { close(): void });
    return send(...message);
  }) as typeof send;
  receiver.on('internalMessage', ({ ack }: { ack?: number }) => {
    if (ack !== undefined) handed.delete(ack);
  });
  receiver.once('close', () => {
    for (const handle of handed.values()) handle.close();
  });
}
