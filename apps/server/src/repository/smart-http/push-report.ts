import { flushPkt, pktLine, sideband } from '../objects/pkt-line.ts';

/** The result of a push, for the pack and for each reference. */
export type PushResult = {
  /** Null if the pack is valid, or if there was none to check. */
  unpackError: string | null;
  refs: { name: string; refusal: string | null }[];
  /** Lines for the terminal, where each appears after `remote:`. */
  messages: string[];
};

/** A line of the protocol cannot contain a line break, and control characters must not reach the terminal. */
export function oneLine(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
    .slice(0, 900);
}

/** The text of `report-status`, as git's own receive-pack writes it. */
export function reportOf({ unpackError, refs }: PushResult): Buffer {
  return Buffer.concat([
    pktLine(`unpack ${unpackError === null ? 'ok' : oneLine(unpackError)}\n`),
    ...refs.map(({ name, refusal }) => pktLine(refusal === null ? `ok ${name}\n` : `ng ${name} ${oneLine(refusal)}\n`)),
    flushPkt,
  ]);
}

export type PushAnswer = {
  /** Bytes without a meaning, so that neither the client nor a proxy takes a long push for a dead connection. */
  alive(): Buffer[];
  end(result: PushResult): Buffer[];
};

/** The response in the form that the client requested. Old clients support neither a report nor channels. */
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
