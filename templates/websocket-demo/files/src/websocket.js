import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { decodeFrame, encodeFrame, FrameError, opcodes } from './frames.js';

const maxBytes = 64 * 1024;
const maxWaiting = 1024 * 1024;
const nobody = Buffer.alloc(0);

/** Takes an upgrade that was found good, and gives a connection with `send`, `close`, `onMessage` and `onClose`. */
export function acceptWebSocket(request, socket, head, { pingMs }) {
  const key = request.headers['sec-websocket-key'];
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  socket.setNoDelay(true);

  const connection = { onMessage: () => {}, onClose: () => {}, send, close };
  let waiting = head;
  let parts = null;
  let isClosing = false;
  let unanswered = 0;

  function send(text) {
    // Who reads too slowly is cut off, or everything that is said would pile up here.
    if (socket.writableLength > maxWaiting) socket.destroy();
    else if (!isClosing) socket.write(encodeFrame(opcodes.text, Buffer.from(text)));
  }

  function close(code, reason = '') {
    if (isClosing) return;
    isClosing = true;
    const payload = Buffer.concat([Buffer.from([code >> 8, code & 0xff]), Buffer.from(reason)]);
    socket.end(encodeFrame(opcodes.close, payload));
    setTimeout(() => socket.destroy(), 2000).unref();
  }

  function take({ isFinal, opcode, payload }) {
    if (opcode === opcodes.ping) socket.write(encodeFrame(opcodes.pong, payload));
    else if (opcode === opcodes.pong) unanswered = 0;
    else if (opcode === opcodes.close) close(payload.length >= 2 ? answerTo(payload.readUInt16BE(0)) : 1000);
    else takeData({ isFinal, opcode, payload });
  }

  function takeData({ isFinal, opcode, payload }) {
    if (opcode === opcodes.binary) throw new FrameError(1003, 'Only text is spoken here');
    if ((opcode === opcodes.continuation) !== (parts !== null)) throw new FrameError(1002, 'A message out of order');
    parts = [...(parts ?? []), payload];
    const bytes = parts.reduce((sum, part) => sum + part.length, 0);
    if (bytes > maxBytes || parts.length > 1000) throw new FrameError(1009, 'The message is too long');
    if (!isFinal) return;
    const whole = Buffer.concat(parts);
    parts = null;
    if (!isUtf8(whole)) throw new FrameError(1007, 'Text has to be UTF-8');
    connection.onMessage(whole.toString('utf8'));
  }

  function read(chunk) {
    waiting = waiting.length === 0 ? chunk : Buffer.concat([waiting, chunk]);
    try {
      while (!isClosing) {
        const frame = decodeFrame(waiting, maxBytes);
        if (!frame) return;
        waiting = waiting.subarray(frame.bytesRead);
        take(frame);
      }
    } catch (error) {
      if (!(error instanceof FrameError)) console.error(error);
      close(error instanceof FrameError ? error.code : 1011, error instanceof FrameError ? error.message : '');
    }
  }

  const beat = setInterval(() => {
    if (++unanswered > 2) socket.destroy();
    else if (!isClosing) socket.write(encodeFrame(opcodes.ping, nobody));
  }, pingMs);

  socket.on('data', read);
  socket.on('error', () => socket.destroy());
  socket.once('close', () => {
    clearInterval(beat);
    connection.onClose();
  });
  // What came together with the upgrade; after the caller has set its handlers.
  queueMicrotask(() => read(nobody));
  return connection;
}

/** Some codes must not be sent: they stand for what was not said. */
function answerTo(code) {
  const isKnown = (code >= 1000 && code <= 1014 && ![1004, 1005, 1006].includes(code)) || (code >= 3000 && code <= 4999);
  return isKnown ? code : 1002;
}
