import { type Scope, scopeAllows } from '@bottega/contract';
import type { TObject } from 'typebox';
import type { Principal } from '../../foundation/http/index.ts';
import { withoutOwnFormats } from '../../foundation/http/openapi/openapi-portable.ts';
import type { Tool } from './tool.ts';
import { allTools, setOf, type ToolSet } from './tool-list.ts';

/** What the URL specifies in addition to the credential: one project only, read only, or further sets of tools. */
export type Narrowing = { onlyProject: string | null; readOnly: boolean; sets: readonly ToolSet[] };

export const isWriting = ({ scope }: Pick<Tool, 'scope'>): boolean => scope.startsWith('write:');

/** Why the caller may not use the tool here. Null if they may. */
export function whyNotOffered(
  tool: Tool,
  { scopes }: Pick<Principal, 'scopes'>,
  { onlyProject, readOnly, sets }: Narrowing,
): string | null {
  const set = setOf(tool);
  if (set !== null && !sets.includes(set)) return `This tool requires an address with tools=${set}`;
  if (!scopeAllows(scopes, tool.scope)) return `This tool requires the scope ${tool.scope}`;
  if (readOnly && isWriting(tool)) return 'This address is read-only';
  if (onlyProject !== null && tool.beyondProjects) return 'This address is limited to one project';
  return null;
}

/** A tool as the protocol describes it. */
export function describeTool({ name, title, description, input, hints, ...tool }: Tool, { onlyProject }: Narrowing) {
  const writes = isWriting(tool);
  return {
    name,
    title,
    description,
    inputSchema: withoutOwnFormats(onlyProject === null ? input : withoutProject(input)) as { type: 'object' },
    annotations: {
      title,
      readOnlyHint: !writes,
      destructiveHint: writes && hints.destructive === true,
      idempotentHint: !writes || hints.idempotent === true,
      openWorldHint: hints.openWorld === true,
    },
  };
}

/**
 * Removes the project from a tool's input if the URL already contains it, because a model reads every line of a schema.
 */
function withoutProject(input: TObject): TObject {
  const { project_id: _known, ...properties } = input.properties;
  return { ...input, properties, required: input.required?.filter((name) => name !== 'project_id') ?? [] } as TObject;
}

/** The scopes that an agent requests from a user: to read, or also to write. */
export function scopesFor(access: 'read' | 'write', sets: readonly ToolSet[]): Scope[] {
  const isIn = (tool: Tool) => {
    const set = setOf(tool);
    return set === null || sets.includes(set);
  };
  const scopes = allTools.filter((tool) => isIn(tool) && (access === 'write' || !isWriting(tool)));
  return [...new Set(scopes.map(({ scope }) => scope))];
}
