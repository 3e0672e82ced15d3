import type { ProjectListQuery } from '@bottega/contract';
import { oneOf, pageIn, textIn } from '../kit/address.ts';

/** What the address of the list says; what is not said is the default, and never in the address. */
export type ProjectSearch = {
  q?: string | undefined;
  status?: ProjectListQuery['status'];
  sort?: ProjectListQuery['sort'] | undefined;
  page?: number | undefined;
};

export function projectSearch(search: Record<string, unknown>): ProjectSearch {
  const { q, status, sort, page } = search;
  return {
    q: textIn(q),
    status: oneOf(['active', 'archived'], status),
    sort: oneOf(['name', 'created_at'], sort),
    page: pageIn(page),
  };
}

export type NewProjectSearch = { from?: 'template' | 'import' | undefined; template?: string | undefined };

export function newProjectSearch({ from, template }: Record<string, unknown>): NewProjectSearch {
  return {
    from: oneOf(['template', 'import'], from),
    template: textIn(template),
  };
}
