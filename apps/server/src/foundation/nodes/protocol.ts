export type Node = { id: string; address: string };

/**
 * By this path and protocol a node asks another one for a link. A version whose questions those before it do not understand
 * names another protocol: then there is no link between the two.
 */
export const linkPath = '/nodes/link';
export const linkProtocol = 'bottega-link';

/** By which the answering side makes every link another one: what was said on one means nothing on the next. */
export const nonceHeader = 'x-bottega-nonce';

/** What a node says to be let in, and the key of the link that follows from it and the other side's nonce. */
export type Introduction = { headers: Record<string, string>; keyWith(nonce: string): Buffer };

/**
 * What became of a question. `unsent`: nothing was done, and nothing will be. `unsure`: the other node may have done it, or
 * may do so yet.
 */
export type Reply = { kind: 'answer'; answer: unknown } | { kind: 'unsent' } | { kind: 'unsure' };
