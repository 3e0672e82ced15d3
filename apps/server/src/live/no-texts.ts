import type { LiveTexts } from './peer.ts';

/** For a node without live texts: sessions and their presence work, whatever is about a text is refused. */
export function noTexts(): LiveTexts {
  const done = async () => undefined;
  return {
    connect: (peer) => ({
      handleMessage: () =>
        peer.send({ type: 'error', code: 'SERVICE_UNAVAILABLE', message: 'There are no live texts here', details: {} }),
      handleBinary: () => undefined,
      rightsChanged: () => undefined,
      close: done,
    }),
    save: done,
    letGo: done,
    broadcast: () => undefined,
    drain: done,
  };
}
