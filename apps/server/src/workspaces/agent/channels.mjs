// @ts-check
import { Duplex } from 'node:stream';
import { asPayload, createFrameReader, dataBytes, encodeFrame, frameTypes, windowBytes } from './frames.mjs';

/** @typedef {{ code: string, message: string }} ChannelError */

/**
 * One stream of a connection. Its bytes are those of the Duplex. `result` is what the other side ended it with.
 */
export class Channel extends Duplex {
  /**
   * @param {(type: number, payload?: Uint8Array) => void} send
   * @param {any} request
   */
  constructor(send, request) {
    super({ allowHalfOpen: true, readableHighWaterMark: windowBytes, writableHighWaterMark: dataBytes });
    this.send = send;
    this.request = request;
    this.credit = windowBytes;
    this.owed = 0;
    this.isOver = false;
    /** @type {{ chunk: Buffer, done: (error?: Error | null) => void } | null} */
    this.waiting = null;
    /** @type {PromiseWithResolvers<any>} */
    this.ending = Promise.withResolvers();
    this.result = this.ending.promise;
    this.result.catch(() => undefined);
  }

  /** @override */
  _read() {
    if (this.owed === 0 || this.isOver) return;
    const credit = Buffer.allocUnsafe(4);
    credit.writeUInt32BE(this.owed);
    this.owed = 0;
    this.send(frameTypes.credit, credit);
  }

  /**
   * @override
   * @param {Buffer} chunk
   * @param {BufferEncoding} _encoding
   * @param {(error?: Error | null) => void} done
   */
  _write(chunk, _encoding, done) {
    this.waiting = { chunk, done };
    this.sendWaiting();
  }

  sendWaiting() {
    while (this.waiting && this.credit > 0) {
      const { chunk, done } = this.waiting;
      const part = chunk.subarray(0, Math.min(this.credit, dataBytes));
      const isLast = part.length === chunk.length;
      this.credit -= part.length;
      // Before it is sent: the other side's credit may arrive meanwhile, and continue with what waits.
      this.waiting = isLast ? null : { chunk: chunk.subarray(part.length), done };
      this.send(frameTypes.data, part);
      if (isLast) done();
    }
  }

  /**
   * @override
   * @param {(error?: Error | null) => void} done
   */
  _final(done) {
    if (!this.hasFinished) this.send(frameTypes.end);
    done();
  }

  /**
   * @override
   * @param {Error | null} error
   * @param {(error?: Error | null) => void} done
   */
  _destroy(error, done) {
    if (!this.isOver || !this.writableFinished) this.send(frameTypes.reset);
    this.isOver = true;
    this.ending.reject(error ?? new Error('the stream was closed'));
    this.waiting?.done(error);
    this.waiting = null;
    done(error);
  }

  /** Ends the stream with a result. @param {unknown} result */
  finish(result) {
    if (this.hasFinished || this.destroyed) return;
    this.hasFinished = true;
    // After the bytes that still wait for credit.
    this.end(() => this.send(frameTypes.end, asPayload({ result })));
  }

  /** Ends the stream with an error. @param {ChannelError} error */
  fail(error) {
    if (this.hasFinished || this.destroyed) return;
    this.hasFinished = true;
    this.end(() => this.send(frameTypes.end, asPayload({ error })));
  }

  /** @param {unknown} message */
  control(message) {
    if (!this.destroyed) this.send(frameTypes.control, asPayload(message));
  }

  /** @param {number} type @param {Buffer} payload */
  receive(type, payload) {
    if (this.destroyed) return;
    if (type === frameTypes.data) {
      this.owed += payload.length;
      if (this.owed > windowBytes) throw new Error('a stream sent more than its credit');
      // A copy, because the rest of the received chunk would stay in memory with it.
      if (this.push(Buffer.from(payload))) this._read();
    } else if (type === frameTypes.credit) {
      this.credit += payload.readUInt32BE(0);
      this.sendWaiting();
    } else if (type === frameTypes.control) this.emit('control', JSON.parse(payload.toString()));
    else if (type === frameTypes.end) {
      this.isOver = true;
      const { result, error } = payload.length > 0 ? JSON.parse(payload.toString()) : {};
      if (error) this.ending.reject(Object.assign(new Error(error.message), { code: error.code, isFromAgent: true }));
      else this.ending.resolve(result);
      this.push(null);
    } else if (type === frameTypes.reset) {
      this.isOver = true;
      this.destroy(new Error('the other side closed the stream'));
    }
  }
}

/**
 * Streams over one connection.
 * @param {Duplex} socket
 * @param {{ onOpen?: (channel: Channel) => void, onError: (error: Error) => void }} hooks
 */
export function createChannels(socket, { onOpen, onError }) {
  /** @type {Map<number, Channel>} */
  const channels = new Map();
  let next = 1;
  let isClosed = false;

  /** @param {number} id @param {unknown} request */
  function create(id, request) {
    const channel = new Channel((type, payload) => {
      if (!isClosed) socket.write(encodeFrame(type, id, payload));
    }, request);
    channels.set(id, channel);
    channel.on('close', () => channels.delete(id));
    channel.on('error', () => undefined);
    return channel;
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
  socket.on('data', (/** @type {Buffer} */ chunk) => {
    try {
      read(chunk);
    } catch (error) {
      close(/** @type {Error} */ (error));
    }
  });
  socket.on('error', close);
  socket.on('close', () => close(new Error('the connection was closed')));

  return {
    /** Opens a stream. @param {unknown} request */
    open(request) {
      const id = next++;
      const channel = create(id, request);
      channel.send(frameTypes.open, asPayload(request));
      if (isClosed) channel.destroy(new Error('the connection was closed'));
      return channel;
    },
    size: () => channels.size,
    close: () => close(new Error('the connection was closed')),
  };
}

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
