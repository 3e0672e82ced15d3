import type { WebhookFilters } from '@bottega/contract';
import { compilePathPattern, matchesAny } from '../foundation/text-search/path-patterns.ts';

type FilteredEvent = { project_id: string | null; data: Record<string, unknown> };

/** Whether the webhook wants the event, by its project and by the path of its file. What is no file has no path to judge. */
export function compileFilters(filters: WebhookFilters | null): (event: FilteredEvent) => boolean {
  const projects = filters?.projects ? new Set(filters.projects) : null;
  const patterns = filters?.paths?.map(compilePathPattern) ?? null;
  return ({ project_id, data }) => {
    if (projects && (project_id === null || !projects.has(project_id))) return false;
    const { file_path: path } = data;
    if (!patterns || typeof path !== 'string') return true;
    return matchesAny(patterns, path);
  };
}
