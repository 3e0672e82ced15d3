import { routes } from '@bottega/contract';
import type { Db } from '../../foundation/db/index.ts';
import { type App, causeOf, handle, principalOf } from '../../foundation/http/index.ts';
import {
  changeParticipant,
  joinSession,
  leaveSession,
  listParticipants,
  participantChecks,
  previewSession,
  removeParticipant,
} from './participants.service.ts';
import type { SessionSettings } from './sessions.service.ts';

export function participantRoutes(app: App, { db, settings }: { db: Db; settings: SessionSettings }): void {
  handle(app, routes.previewSession, (request) =>
    previewSession(db, request.params.session_id, request.body.invite_token),
  );

  handle(app, routes.joinSession, (request) => {
    const asked = { id: request.params.session_id, inviteToken: request.body?.invite_token };
    return joinSession(db, principalOf(request), asked, { settings, cause: causeOf(request) });
  });

  handle(app, routes.leaveSession, (request) => leaveSession(db, principalOf(request), request.params.session_id));

  handle(app, routes.listParticipants, async (request) => ({
    participants: await listParticipants(db, principalOf(request), request.params.session_id),
  }));

  handle(app, routes.changeParticipant, { checks: () => participantChecks }, (request) => {
    const place = { id: request.params.session_id, userId: request.params.user_id };
    return changeParticipant(db, principalOf(request), place, { wanted: request.body, cause: causeOf(request) });
  });

  handle(app, routes.removeParticipant, async (request) => {
    const place = { id: request.params.session_id, userId: request.params.user_id };
    await removeParticipant(db, principalOf(request), place, causeOf(request));
  });
}
