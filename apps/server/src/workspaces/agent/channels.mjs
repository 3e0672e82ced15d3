// @ts-check
import { Channel } from './channel.mjs';
import { asPayload, createFrameReader, encodeFrame, frameTypes, payloadBytes } from './frames.mjs';

export { Channel };

/** @typedef {import('node:stream').Duplex} Duplex */

/**
 * Bytes that may wait for a side that does not read. This is for frames without data, because data waits in its own
 * stream.
 */
const mostWaiting = 32 * 2 ** 20;
/** The time for which one chunk may occupy the event loop without a rest. */
const workMs = 2;

/**
 * Creates streams over one connection. With `rests`, the reader rests for as long as it has worked. So a side that is
 * not trusted gets at most half of the event loop, whatever it sends.
 * @param {Duplex} socket
 * @param {{ onOpen?: (channel: Channel) => void, onError: (error: Error) => void, rests?: boolean }} hooks
 */
export function createChannels(socket, { onOpen, onError, rests = false }) {
  /** @type {Map<number, Channel>} */
  const channels = new Map();
  const queue = createQueue(socket);
  /** Streams with bytes in the chunk that is being read. @type {Set<Channel>} */
  const arrived = new Set();
  let next = 1;
  let isClosed = false;

  /** @param {number} id @param {unknown} request */
  function create(id, request) {
    const channel = new Channel(
      {
        send: (type, payload) => send(encodeFrame(type, id, payload)),
        mustWait: queue.mustWait,
        flushLater: (one) => arrived.add(one),
      },
      request,
    );
    channels.set(id, channel);
    channel.on('close', () => {
      channels.delete(id);
      queue.leave(channel);
    });
    channel.on('error', () => undefined);
    return channel;
  }

  /** @param {Buffer} frame */
  function send(frame) {
    if (isClosed) return;
    socket.write(frame);
    if (socket.writableLength > mostWaiting) close(new Error('the other side does not read'));
  }

  /** @param {Error} error */
  function close(error) {
    if (isClosed) return;
    isClosed = true;
    for (const channel of channels.values()) channel.destroy(error);
    socket.destroy();
    onError(error);
  }

  const read = createFrameReader(({ type, stream, payload }) => {
    const channel = channels.get(stream);
    if (channel) return channel.receive(type, payload);
    if (type === frameTypes.open && onOpen) onOpen(create(stream, JSON.parse(payload.toString())));
  });
  const readAll = (/** @type {Buffer} */ chunk) => {
    try {
      read(chunk);
      for (const channel of arrived) channel.flush();
      arrived.clear();
    } catch (error) {
      close(/** @type {Error} */ (error));
    }
  };
  socket.on('data', rests ? resting(socket, readAll) : readAll);
  socket.on('error', close);
  socket.on('close', () => close(new Error('the connection was closed')));

  return {
    /** Opens a stream. @param {unknown} request */
    open(request) {
      const id = next++;
      const channel = create(id, request);
      const payload = asPayload(request);
      if (isClosed) channel.destroy(new Error('the connection was closed'));
      else if (payload.length > payloadBytes) channel.destroy(new Error('a request is too large'));
      else channel.send(frameTypes.open, payload);
      return channel;
    },
    size: () => channels.size,
    close: () => close(new Error('the connection was closed')),
  };
}

/**
 * A queue of streams that wait until the socket has room, in the order of their turns.
 * @param {Duplex} socket
 */
function createQueue(socket) {
  /** @type {Set<Channel>} */
  const waiting = new Set();
  socket.on('drain', () => {
    for (const channel of [...waiting]) {
      if (socket.writableNeedDrain) return;
      waiting.delete(channel);
      channel.sendWaiting();
    }
  });
  return {
    /** @param {Channel} channel */
    mustWait(channel) {
      if (!socket.writableNeedDrain) return false;
      waiting.add(channel);
      return true;
    },
    /** @param {Channel} channel */
    leave: (channel) => void waiting.delete(channel),
  };
}

/**
 * Returns a reader that rests after each chunk for as long as the work took.
 * @param {Duplex} socket
 * @param {(chunk: Buffer) => void} work
 */
const resting = (socket, work) => (/** @type {Buffer} */ chunk) => {
  const begunAt = performance.now();
  work(chunk);
  const worked = performance.now() - begunAt;
  if (worked < workMs || socket.destroyed) return;
  socket.pause();
  setTimeout(() => socket.resume(), worked).unref();
};

/**
 * For a request with one answer: sends nothing, ignores bytes, and resolves with the result.
 * @param {Channel} channel
 * @returns {Promise<any>}
 */
export function ask(channel) {
  channel.end();
  channel.resume();
  return channel.result;
}
