/** A merge request, and what queries about it begin with. */
export type Which = { projectId: string; number: number };

export const requestParams = ({ projectId, number }: Which) => ({ project_id: projectId, number: String(number) });

export const requestsKey = (projectId: string) => ['projects', projectId, 'merge-requests'] as const;
export const requestKey = ({ projectId, number }: Which) => [...requestsKey(projectId), number] as const;
