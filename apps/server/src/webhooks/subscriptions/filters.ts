import type { WebhookFilters } from '@bottega/contract';
import { compilePathPattern, matchesAny, stepsToMatch } from '../../foundation/text-search/path-patterns.ts';

type FilteredEvent = { project_id: string | null; data: Record<string, unknown> };

export type Filter = {
  /** Whether the event's project and file path pass the filters. Events without a file have no path to check. */
  passes(event: FilteredEvent): boolean;
  /** Maximum number of steps that `passes` takes. Fifty steps take about a microsecond. */
  costOf(event: FilteredEvent): number;
};

export function compileFilters(filters: WebhookFilters | null): Filter {
  const projects = filters?.projects ? new Set(filters.projects) : null;
  const patterns = filters?.paths?.map(compilePathPattern) ?? null;
  const isElsewhere = (id: string | null) => projects !== null && (id === null || !projects.has(id));
  return {
    passes({ project_id, data: { file_path: path } }) {
      if (isElsewhere(project_id)) return false;
      return !patterns || typeof path !== 'string' || matchesAny(patterns, path);
    },
    costOf({ project_id, data: { file_path: path } }) {
      return !patterns || typeof path !== 'string' || isElsewhere(project_id) ? 0 : stepsToMatch(patterns, path);
    },
  };
}
