import { maxProjectFileBytes, SandboxError } from '../../deployments/index.ts';
import type { Db } from '../../foundation/db/index.ts';
import { inflateObjectAsync } from '../../repository/objects/objects.ts';
import type { HeadAt } from '../../repository/objects/ref-names.ts';
import { fileAtHead } from '../../repository/store/index.ts';

/** The `workspace` part of bottega.json: what a workspace of the project runs. */
export type WorkspaceFile = { setup: string | null; start: string | null; env: Record<string, string> };

const nothing: WorkspaceFile = { setup: null, start: null, env: {} };

export async function readWorkspaceFile(db: Db, at: HeadAt): Promise<WorkspaceFile> {
  const file = await fileAtHead(db, at, '/bottega.json');
  if (!file || file.size > maxProjectFileBytes) return nothing;
  return parseWorkspaceFile((await inflateObjectAsync(file.deflated, file.size)).toString());
}

export function parseWorkspaceFile(text: string): WorkspaceFile {
  const part = partOf(text);
  if (part === undefined || part === null) return nothing;
  if (!isRecord(part)) throw new SandboxError('bottega.json: workspace must be an object');
  const { setup, start, env = {} } = part;
  for (const [name, value] of Object.entries({ setup, start })) {
    if (value !== undefined && value !== null && typeof value !== 'string') {
      throw new SandboxError(`bottega.json: workspace.${name} must be a string`);
    }
  }
  if (!isRecord(env) || Object.values(env).some((value) => typeof value !== 'string')) {
    throw new SandboxError('bottega.json: workspace.env must be an object with texts');
  }
  return { setup: (setup as string) || null, start: (start as string) || null, env: env as Record<string, string> };
}

function partOf(text: string): unknown {
  try {
    return (JSON.parse(text) as { workspace?: unknown } | null)?.workspace;
  } catch {
    throw new SandboxError('bottega.json is not a JSON object');
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
