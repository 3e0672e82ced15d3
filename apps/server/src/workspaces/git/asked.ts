import { isValidBranchName } from '@bottega/contract';

/** What git in a workspace asks for. */
export type AskedGit = {
  /** The agent's number of the connection. */
  id: number;
  token: string;
  service: 'fetch' | 'push';
  version: string | undefined;
  has: { branch: string; commits: Buffer[] } | null;
};

/** A Map, because an object would also find inherited names such as `constructor`. */
const services = new Map<string, AskedGit['service']>([
  ['git-upload-pack', 'fetch'],
  ['git-receive-pack', 'push'],
]);
const mostBytes = 32_768;
const mostCommits = 200;
const sha1 = /^[0-9a-f]{40}$/;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Checks a message of the agent, which may send anything. Null if the message is not a valid request of git. */
export function readAsked(message: unknown): AskedGit | null {
  const { id, line } = (message ?? {}) as { id?: unknown; line?: unknown };
  if (!Number.isSafeInteger(id) || typeof line !== 'string' || line.length > mostBytes) return null;
  const fields = parsed(line);
  const service = services.get(textOf(fields.service));
  if (!service) return null;
  const branch = textOf(fields.branch);
  const commits = (Array.isArray(fields.commits) ? fields.commits.slice(0, mostCommits) : [])
    .filter((sha): sha is string => typeof sha === 'string' && sha1.test(sha))
    .map((sha) => Buffer.from(sha, 'hex'));
  return {
    id: id as number,
    token: textOf(fields.token),
    service,
    version: textOf(fields.version) || undefined,
    has: isValidBranchName(branch) && commits.length > 0 ? { branch, commits } : null,
  };
}

function parsed(line: string): Record<string, unknown> {
  try {
    return (JSON.parse(line) as Record<string, unknown> | null) ?? {};
  } catch {
    return {};
  }
}
