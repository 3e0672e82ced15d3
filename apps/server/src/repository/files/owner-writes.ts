import { randomUUID } from 'node:crypto';
import { WaitedTooLong } from '../../foundation/concurrency/keyed-queue.ts';
import { AppError } from '../../foundation/http/index.ts';
import { asAppError } from '../../foundation/http/request/errors.ts';
import type { Links } from '../../foundation/nodes/links.ts';
import { ownerOf } from '../../foundation/nodes/owner.ts';
import type { Node } from '../../foundation/nodes/protocol.ts';
import type { GroupedPut, Put, PutDone } from '../store/index.ts';
import { checkPreconditions, type Preconditions } from './preconditions.ts';
import type { SharedHeads } from './shared-heads.ts';

/** A write that is ready: what is left needs the project. */
export type PreparedPut = Omit<Put, 'check' | 'passed'> & { preconditions: Preconditions };

type PassedPut = { projectId: string; id: string; put: PreparedPut };
type Outcome = { done: PutDone } | { refused: Pick<AppError, 'code' | 'message' | 'status' | 'details' | 'headers'> };

export type OwnerWrites = {
  put(projectId: string, put: PreparedPut): Promise<PutDone>;
  /** What another node has passed on. Throws where it is not known what became of it. */
  answer(question: unknown): Promise<unknown>;
};

type Options = {
  groupedPut: GroupedPut;
  heads: SharedHeads;
  links: Links;
  nodes: { own(): string; alive(): readonly Node[] };
  passedOn(outcome: string): void;
};

/** A larger one costs its own node more than to wait for the project does, and all of them are held in memory. */
const largestPassed = 64 * 1024;
/** Of a write without its content. */
const otherBytes = 1_000;

/**
 * Where several nodes write to one project, one of them makes the writes of all: in larger groups, and without any of them
 * waiting for its row. That is a matter of speed only. Whatever speaks against passing a write on, it is made here, and
 * nodes that take different ones for the owner wait for each other as they did before.
 */
export function writeAtOwner({ groupedPut, heads, links, nodes, passedOn }: Options): OwnerWrites {
  const putHere = (projectId: string, { preconditions, ...put }: PreparedPut, passed?: Put['passed']) =>
    groupedPut(projectId, {
      ...put,
      check: (present) => checkPreconditions(preconditions, present?.checksum ?? null),
      ...(passed && { passed }),
    });

  async function pass(owner: Node, question: PassedPut): Promise<PutDone> {
    const { projectId, id, put } = question;
    const reply = await links.ask(owner, question, put.blob.content.length * 2 + otherBytes);
    passedOn(reply.kind);
    if (reply.kind === 'unsent') return putHere(projectId, put);
    if (reply.kind === 'unsure') return putHere(projectId, put, { id, isBack: true });
    const outcome = reply.answer as Outcome;
    if ('refused' in outcome) throw new AppError(outcome.refused.code, outcome.refused.message, outcome.refused);
    heads.notePassed(projectId);
    return outcome.done;
  }

  return {
    async put(projectId, put) {
      if (put.blob.content.length > largestPassed || !heads.isShared(projectId)) return putHere(projectId, put);
      const owner = ownerOf(projectId, nodes.alive());
      if (!owner || owner.id === nodes.own()) return putHere(projectId, put);
      return pass(owner, { projectId, id: randomUUID(), put });
    },
    async answer(question) {
      const { projectId, id, put } = question as PassedPut;
      return putHere(projectId, put, { id, isBack: false }).then((done): Outcome => ({ done }), asRefusal);
    },
  };
}

/** What is certain not to have been made. */
function asRefusal(error: unknown): Outcome {
  if (!(error instanceof AppError || error instanceof WaitedTooLong)) throw error;
  const { code, message, status, details, headers } = asAppError(error);
  return { refused: { code, message, status, details, headers } };
}
