/** Identifies a collaborator of a project. */
export type Place = { projectId: string; collaboratorId: string };

export const placeOf = (params: { project_id: string; collaborator_id: string }): Place => ({
  projectId: params.project_id,
  collaboratorId: params.collaborator_id,
});
