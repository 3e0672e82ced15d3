import { type Static, Type } from 'typebox';

export const ofCollaborator = Type.Object({ project_id: Type.String(), collaborator_id: Type.String() });

/** Which of a project's collaborators. */
export type Place = { projectId: string; collaboratorId: string };

export const placeOf = (params: Static<typeof ofCollaborator>): Place => ({
  projectId: params.project_id,
  collaboratorId: params.collaborator_id,
});
