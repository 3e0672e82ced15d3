export const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 };

/** A breach of the protocol, with the code that the connection is closed with. */
export class FrameError extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** A frame as a server sends it: whole, and not masked. */
export function encodeFrame(opcode, payload) {
  const { length } = payload;
  let header;
  if (length < 126) {
    header = Buffer.from([0x80 | opcode, length]);
  } else if (length < 65_536) {
    header = Buffer.from([0x80 | opcode, 126, 0, 0]);
    header.writeUInt16BE(length, 2);
  } else {
    header = Buffer.alloc(10);
    header.set([0x80 | opcode, 127]);
    header.writeBigUInt64BE(BigInt(length), 2);
  }
  return Buffer.concat([header, payload]);
}

/** The first frame of a client in these bytes and how many it takes; null while it is not there whole. */
export function decodeFrame(bytes, maxBytes) {
  if (bytes.length < 2) return null;
  const isFinal = (bytes[0] & 0x80) !== 0;
  const opcode = bytes[0] & 0x0f;
  if ((bytes[0] & 0x70) !== 0) throw new FrameError(1002, 'No extension was agreed on');
  if (!Object.values(opcodes).includes(opcode)) throw new FrameError(1002, 'An unknown kind of frame');
  if ((bytes[1] & 0x80) === 0) throw new FrameError(1002, 'A frame of a client has to be masked');

  const short = bytes[1] & 0x7f;
  if (opcode >= opcodes.close && (!isFinal || short > 125)) throw new FrameError(1002, 'A control frame is short and whole');
  const lengthBytes = short === 127 ? 8 : short === 126 ? 2 : 0;
  const begin = 2 + lengthBytes + 4;
  if (bytes.length < begin) return null;
  const length = lengthBytes === 8 ? Number(bytes.readBigUInt64BE(2)) : lengthBytes === 2 ? bytes.readUInt16BE(2) : short;
  if (length > maxBytes) throw new FrameError(1009, 'The message is too long');
  if (bytes.length < begin + length) return null;

  const mask = bytes.subarray(begin - 4, begin);
  const payload = Buffer.from(bytes.subarray(begin, begin + length));
  for (let index = 0; index < length; index++) payload[index] ^= mask[index % 4];
  return { isFinal, opcode, payload, bytesRead: begin + length };
}
