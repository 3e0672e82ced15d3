import type { ProjectListQuery } from '@bottega/contract';

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
    q: typeof q === 'string' && q !== '' ? q.slice(0, 200) : undefined,
    status: status === 'active' || status === 'archived' ? status : undefined,
    sort: sort === 'name' || sort === 'created_at' ? sort : undefined,
    page: Number.isInteger(page) && Number(page) > 1 ? Number(page) : undefined,
  };
}

export type NewProjectSearch = { from?: 'template' | 'import' | undefined; template?: string | undefined };

export function newProjectSearch({ from, template }: Record<string, unknown>): NewProjectSearch {
  return {
    from: from === 'template' || from === 'import' ? from : undefined,
    template: typeof template === 'string' ? template : undefined,
  };
}
