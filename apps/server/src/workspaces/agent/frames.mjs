// @ts-check
import { createGathered } from './gathered.mjs';

/**
 * The protocol between the service and the agent in a workspace. A frame consists of its length (4 bytes, which counts
 * everything after them), its type (1), the number of its stream (4), and its payload. The service opens streams, and
 * the agent answers in them.
 */

export const frameTypes = Object.freeze({
  /** Opens a stream. The payload is a JSON request. */
  open: 1,
  /** Bytes of the stream. A sender needs credit for them. */
  data: 2,
  /** The sender writes nothing more. The payload is the JSON result, or empty. */
  end: 3,
  /** The receiver can take this many more bytes (4 bytes). */
  credit: 4,
  /** A JSON message of the stream, such as a new terminal size. */
  control: 5,
  /** The stream is abandoned. */
  reset: 6,
});

/** Bytes that a sender may have under way in one stream. So a slow reader pauses only its own stream. */
export const windowBytes = 262_144;
/** Largest payload of a frame with data. */
export const dataBytes = 32_768;
/** Largest payload of any frame. */
export const payloadBytes = 1_048_576;

const headBytes = 9;

/**
 * @param {number} type
 * @param {number} stream
 * @param {Uint8Array} [payload]
 */
export function encodeFrame(type, stream, payload = new Uint8Array()) {
  const frame = Buffer.allocUnsafe(headBytes + payload.length);
  frame.writeUInt32BE(payload.length + 5, 0);
  frame.writeUInt8(type, 4);
  frame.writeUInt32BE(stream, 5);
  frame.set(payload, headBytes);
  return frame;
}

/** @typedef {{ type: number, stream: number, payload: Buffer }} Frame */

/**
 * Splits received bytes into frames. Throws if a frame is not valid. A frame's payload is valid only during the call.
 * @param {(frame: Frame) => void} onFrame
 */
export function createFrameReader(onFrame) {
  const rest = createGathered();

  /** Returns how many bytes were whole frames. @param {Buffer} bytes */
  function readAll(bytes) {
    let at = 0;
    while (bytes.length - at >= headBytes) {
      const length = bytes.readUInt32BE(at);
      if (length < 5 || length > payloadBytes + 5) throw new Error(`a frame has ${length} bytes`);
      if (bytes.length - at < length + 4) break;
      const payload = bytes.subarray(at + headBytes, at + length + 4);
      onFrame({ type: bytes.readUInt8(at + 4), stream: bytes.readUInt32BE(at + 5), payload });
      at += length + 4;
    }
    return at;
  }

  return (/** @type {Buffer} */ chunk) => {
    if (rest.length() === 0) return rest.add(chunk.subarray(readAll(chunk)));
    rest.add(chunk);
    rest.drop(readAll(rest.bytes()));
  };
}

/** @param {unknown} value */
export const asPayload = (value) => Buffer.from(JSON.stringify(value));

/**
 * Encodes an answer as the end of a stream. If the answer is too large or nested too deeply, an error is sent instead:
 * the answer may come from a program, and neither side may crash because of it.
 * @param {unknown} answer
 */
export function answerPayload(answer) {
  try {
    const payload = asPayload(answer);
    if (payload.length <= payloadBytes) return payload;
  } catch {
    // The answer is nested too deeply for JSON.
  }
  return asPayload({ error: { code: 'TOO_LARGE', message: 'The answer is too large' } });
}
