import { openLink } from './open-link.ts';
import { type Introduction, linkPath, type Node, type Reply } from './protocol.ts';

export type Links = {
  /** `bytes`: about so many, which count until there is a reply. */
  ask(node: Node, question: unknown, bytes: number): Promise<Reply>;
  close(): void;
};

const unsent: Reply = { kind: 'unsent' };
/** A node that is gone, or of a version that knows no links. */
const restMs = 5_000;

/**
 * One connection to each node that something is asked of, opened by the first question. Nobody waits for it to open, nor
 * for a node that is away: then the question is not sent, and whoever asks has to do without.
 */
export function createLinks(introduceTo: (nodeId: string) => Introduction): Links {
  const links = new Map<string, ReturnType<typeof openLink>>();

  function linkTo(node: Node): ReturnType<typeof openLink> {
    const known = links.get(node.id);
    if (known) return known;
    const opened = openLink(new URL(linkPath, node.address), introduceTo(node.id), () => {
      setTimeout(() => links.get(node.id) === opened && links.delete(node.id), restMs).unref();
    });
    links.set(node.id, opened);
    return opened;
  }

  return {
    ask: (node, question, bytes) => linkTo(node).ask(question, bytes) ?? Promise.resolve(unsent),
    close() {
      for (const link of links.values()) link.close();
    },
  };
}
