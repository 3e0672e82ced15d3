// @ts-check
import { Duplex } from 'node:stream';
import { answerPayload, asPayload, dataBytes, frameTypes, payloadBytes, windowBytes } from './frames.mjs';
import { createGathered } from './gathered.mjs';

/**
 * @typedef {{ code: string, message: string }} ChannelError
 * @typedef {{ send(type: number, payload?: Uint8Array): void, mustWait(channel: Channel): boolean,
 *   flushLater(channel: Channel): void }} Connection
 */

/**
 * Each part of a stream costs some hundred bytes in addition to its content, and the other side chooses how small the
 * parts are. So small frames that arrive together are joined into one part, and only a few parts wait unjoined.
 */
const smallBytes = 4_096;
const waitingBytes = 1_024;
const longestWords = 1_000;

/**
 * One stream of a connection. The Duplex carries its bytes. `result` is the result with which the other side ended it.
 */
export class Channel extends Duplex {
  /** @param {Connection} connection @param {any} request */
  constructor(connection, request) {
    super({ allowHalfOpen: true, readableHighWaterMark: smallBytes, writableHighWaterMark: waitingBytes });
    this.connection = connection;
    this.request = request;
    this.credit = windowBytes;
    this.owed = 0;
    this.isOver = false;
    this.hasFinished = false;
    this.isFull = false;
    this.unread = createGathered();
    /** @type {{ chunk: Buffer, done: (error?: Error | null) => void } | null} */
    this.waiting = null;
    /** @type {PromiseWithResolvers<any>} */
    this.ending = Promise.withResolvers();
    this.result = this.ending.promise;
    this.result.catch(() => undefined);
  }

  /** @param {number} type @param {Uint8Array} [payload] */
  send(type, payload) {
    this.connection.send(type, payload);
  }

  /** @override */
  _read() {
    this.isFull = false;
    this.pushUnread();
    if (this.isFull || this.owed === 0 || this.isOver) return;
    const credit = Buffer.allocUnsafe(4);
    credit.writeUInt32BE(this.owed);
    this.owed = 0;
    this.send(frameTypes.credit, credit);
  }

  pushUnread() {
    const count = this.unread.length();
    if (count === 0) return;
    const all = Buffer.from(this.unread.bytes());
    this.unread.drop(count);
    this.isFull = !this.push(all);
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
    while (this.waiting && this.credit > 0 && !this.connection.mustWait(this)) {
      const { chunk, done } = this.waiting;
      const part = chunk.subarray(0, Math.min(this.credit, dataBytes));
      const isLast = part.length === chunk.length;
      this.credit -= part.length;
      // This is set before the part is sent: credit from the other side may arrive meanwhile, and then what still waits
      // is sent.
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
    this.endWith({ result });
  }

  /** Ends the stream with an error. @param {ChannelError} error */
  fail(error) {
    this.endWith({ error });
  }

  /** @param {object} answer */
  endWith(answer) {
    if (this.hasFinished || this.destroyed) return;
    this.hasFinished = true;
    const payload = answerPayload(answer);
    // The end is sent after the bytes that still wait for credit.
    this.end(() => this.send(frameTypes.end, payload));
  }

  /** @param {unknown} message */
  control(message) {
    if (this.destroyed) return;
    const payload = asPayload(message);
    if (payload.length > payloadBytes) this.destroy(new Error('a message is too large'));
    else this.send(frameTypes.control, payload);
  }

  /** Handles a frame. The payload is valid only during the call. @param {number} type @param {Buffer} payload */
  receive(type, payload) {
    // After the other side's end of the stream, data and a further end are ignored.
    const isLate = this.isOver && (type === frameTypes.data || type === frameTypes.end);
    if (this.destroyed || isLate) return;
    if (type === frameTypes.data) this.receiveData(payload);
    else if (type === frameTypes.credit) {
      this.credit += payload.readUInt32BE(0);
      if (this.credit > windowBytes) throw new Error('a stream gave more credit than it has');
      this.sendWaiting();
    } else if (type === frameTypes.control) {
      this.flush();
      this.emit('control', JSON.parse(payload.toString()));
    } else if (type === frameTypes.end) this.receiveEnd(payload);
    else if (type === frameTypes.reset) {
      this.isOver = true;
      this.destroy(new Error('the other side closed the stream'));
    }
  }

  /** @param {Buffer} payload */
  receiveData(payload) {
    this.owed += payload.length;
    if (this.owed > windowBytes) throw new Error('a stream sent more than its credit');
    if (!this.isFull && this.unread.length() === 0 && payload.length >= smallBytes) {
      // A copy, because the rest of the received chunk would stay in memory with it.
      this.isFull = !this.push(Buffer.from(payload));
      if (!this.isFull) this._read();
    } else {
      this.unread.add(payload);
      this.connection.flushLater(this);
    }
  }

  /** Passes on what has arrived, unless the reader has enough. */
  flush() {
    if (!this.isFull && !this.destroyed) this._read();
  }

  /** @param {Buffer} payload */
  receiveEnd(payload) {
    this.isOver = true;
    const { result, error } = (payload.length > 0 && JSON.parse(payload.toString())) || {};
    if (error) this.ending.reject(refusalOf(error));
    else this.ending.resolve(result);
    this.pushUnread();
    this.push(null);
  }
}

/** Checks a refusal. The other side may have sent anything. @param {{ code?: unknown, message?: unknown }} error */
function refusalOf({ code, message }) {
  const words = (/** @type {unknown} */ value) => (typeof value === 'string' ? value.slice(0, longestWords) : '');
  return Object.assign(new Error(words(message)), { code: words(code), isFromAgent: true });
}
