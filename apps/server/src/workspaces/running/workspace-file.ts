import { reasonSentence } from '@bottega/contract';
import { maxProjectFileBytes, SandboxError } from '../../deployments/index.ts';
import type { Db } from '../../foundation/db/index.ts';
import { inflateObjectAsync } from '../../repository/objects/objects.ts';
import type { HeadAt } from '../../repository/objects/ref-names.ts';
import { fileAtHead } from '../../repository/store/index.ts';
import { type DeclaredPort, isRecord, type WorkspaceFile } from './declared.ts';
import { devcontainerPaths, parseDevcontainer } from './devcontainer.ts';

const nothing: WorkspaceFile = { setup: null, start: null, env: {}, ports: {} };

export async function readWorkspaceFile(db: Db, at: HeadAt): Promise<WorkspaceFile> {
  const text = await textAt(db, at, '/bottega.json');
  const declared = text === null ? null : parseWorkspaceFile(text);
  if (declared) return declared;
  for (const path of devcontainerPaths) {
    const other = await textAt(db, at, path);
    if (other !== null) return parseDevcontainer(other);
  }
  return nothing;
}

async function textAt(db: Db, at: HeadAt, path: string): Promise<string | null> {
  const file = await fileAtHead(db, at, path);
  if (!file || file.size > maxProjectFileBytes) return null;
  return (await inflateObjectAsync(file.deflated, file.size)).toString();
}

/** Reads the `workspace` part of bottega.json. Null if the file has none. */
export function parseWorkspaceFile(text: string): WorkspaceFile | null {
  const part = partOf(text);
  if (part === undefined || part === null) return null;
  if (!isRecord(part)) throw new SandboxError(mistake('workspace must be an object'));
  const { setup, start, env = {}, ports = {} } = part;
  for (const [name, value] of Object.entries({ setup, start })) {
    if (value !== undefined && value !== null && typeof value !== 'string') {
      throw new SandboxError(mistake(`workspace.${name} must be a string`));
    }
  }
  if (!isRecord(env) || Object.values(env).some((value) => typeof value !== 'string')) {
    throw new SandboxError(mistake('workspace.env must be an object whose values are strings'));
  }
  return {
    setup: (setup as string) || null,
    start: (start as string) || null,
    env: env as Record<string, string>,
    ports: portsOf(ports),
  };
}

function portsOf(ports: unknown): Record<number, DeclaredPort> {
  const isPort = ([port, value]: [string, unknown]) =>
    /^\d{1,5}$/.test(port) && isRecord(value) && typeof (value.label ?? '') === 'string';
  if (!isRecord(ports) || !Object.entries(ports).every(isPort)) {
    throw new SandboxError(mistake('workspace.ports must be an object of ports, each with a label or visibility'));
  }
  // Only a person can make a port public. A pushed file cannot.
  if (Object.values(ports as Record<string, DeclaredPort>).some(({ visibility }) => !isDeclarable(visibility))) {
    throw new SandboxError(mistake('the visibility of a port must be owner or members'));
  }
  return ports as Record<number, DeclaredPort>;
}

const isDeclarable = (visibility: unknown): boolean => [undefined, 'owner', 'members'].includes(visibility as string);

const mistake = (detail: string): string => reasonSentence('project_file_mistake', { detail });

function partOf(text: string): unknown {
  try {
    return (JSON.parse(text) as { workspace?: unknown } | null)?.workspace;
  } catch {
    throw new SandboxError(reasonSentence('project_file_not_json'));
  }
}
