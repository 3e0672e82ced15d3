import { flushPkt, pktLine, sideband } from '../objects/pkt-line.ts';

/** What became of a push: of the pack, and of each reference. */
export type PushResult = {
  /** Null: the pack is sound, or there was none to look at. */
  unpackError: string | null;
  refs: { name: string; refusal: string | null }[];
  /** For the person at the terminal, who sees each line behind `remote:`. */
  messages: string[];
};

/** A line of the protocol holds no line break, and a terminal should get no control characters from us. */
export function oneLine(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
    .slice(0, 900);
}

/** `report-status` as git's own receive-pack writes it. */
export function reportOf({ unpackError, refs }: PushResult): Buffer {
  return Buffer.concat([
    pktLine(`unpack ${unpackError === null ? 'ok' : oneLine(unpackError)}\n`),
    ...refs.map(({ name, refusal }) => pktLine(refusal === null ? `ok ${name}\n` : `ng ${name} ${oneLine(refusal)}\n`)),
    flushPkt,
  ]);
}

export type PushAnswer = {
  /** Bytes that mean nothing, so that neither the client nor a proxy takes a long import for a dead connection. */
  alive(): Buffer[];
  end(result: PushResult): Buffer[];
};

/** The answer in the form that the client asked for. Old clients know neither a report nor channels. */
export function pushAnswer(capabilities: ReadonlySet<string>): PushAnswer {
  const wantsReport = capabilities.has('report-status');
  if (!capabilities.has('side-band-64k')) {
    return { alive: () => [], end: (result) => (wantsReport ? [reportOf(result)] : []) };
  }
  return {
    alive: () => [Buffer.from('0005\x01')],
    end: (result) => [
      ...result.messages.flatMap((message) => sideband(2, Buffer.from(`${oneLine(message)}\n`))),
      ...(wantsReport ? sideband(1, reportOf(result)) : []),
      flushPkt,
    ],
  };
}
