import { BrowserSessionList, CurrentSession, SignIn } from '../accounts.ts';
import { defineRoutes, noContent } from './route.ts';

export const signInRoutes = defineRoutes('Sessions', {
  signIn: {
    address: 'POST /auth/sign-in',
    access: 'public',
    summary: 'Sign in with a password and set the session cookie',
    body: SignIn,
    responses: { 200: CurrentSession },
  },
  signOut: {
    address: 'POST /auth/sign-out',
    access: 'session',
    summary: 'End this session',
    responses: { 204: noContent },
  },
  readCurrentSession: {
    address: 'GET /auth/session',
    access: 'session',
    summary: 'Read the current session and its CSRF token',
    responses: { 200: CurrentSession },
  },
  listSignInSessions: {
    address: 'GET /auth/sessions',
    access: 'session',
    summary: "List your account's sessions",
    responses: { 200: BrowserSessionList },
  },
  endOtherSignInSessions: {
    address: 'DELETE /auth/sessions',
    access: 'session',
    summary: 'End all sessions except this one',
    responses: { 204: noContent },
  },
  endSignInSession: {
    address: 'DELETE /auth/sessions/{session_id}',
    access: 'session',
    summary: 'End a session',
    responses: { 204: noContent },
  },
});
