import { Counter, type Registry } from 'prom-client';
import { answerNodes } from '../../foundation/nodes/answering.ts';
import { rememberNodes } from '../../foundation/nodes/known-nodes.ts';
import { createLinks } from '../../foundation/nodes/links.ts';
import type { Introduction, Node } from '../../foundation/nodes/protocol.ts';
import { type FileWrites, groupPuts } from '../store/index.ts';
import { writeAtOwner } from './owner-writes.ts';
import { watchHeads } from './shared-heads.ts';

/** This node and the others. */
export type WritingNodes = {
  own: string;
  list(): Promise<Node[]>;
  introduceTo(nodeId: string): Introduction;
};

type Options = { files: FileWrites; nodes: () => WritingNodes; onError(error: unknown, what: string): void };

/** Puts of files, made here or at the node that makes those of all nodes; and what other nodes have this one make. */
export function passWritesOn({ files, nodes, onError }: Options) {
  const passed = new Counter({
    name: 'bottega_writes_passed_on_total',
    help: 'File writes forwarded to the node that writes to their project, by result: answered by it, not sent, or uncertain and made here',
    labelNames: ['outcome'],
    registers: [],
  });
  const heads = watchHeads();
  const links = createLinks((nodeId) => nodes().introduceTo(nodeId));
  const alive = rememberNodes(
    () => nodes().list(),
    (error) => onError(error, 'looking up other nodes failed'),
  );
  const { put, answer } = writeAtOwner({
    groupedPut: groupPuts(files, heads.noteGroup),
    heads,
    links,
    nodes: { own: () => nodes().own, alive },
    passedOn: (outcome) => passed.inc({ outcome }),
  });
  const answering = answerNodes(answer);
  return {
    put,
    takeLink: answering.take,
    metrics: (registry: Registry) => registry.registerMetric(passed),
    drain: answering.drain,
    stop: links.close,
  };
}
