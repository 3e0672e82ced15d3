/**
 * The paths below which the dashboard has screens. All of them are listed, so that an unknown path still returns the
 * documented 404, and no screen can hide a route of the API.
 */
export const screens = [
  '/',
  '/sign-in',
  '/sign-up',
  '/forgot-password',
  '/reset-password',
  '/verify-email',
  '/welcome',
  '/invitations',
  '/notifications',
  '/reviews',
  '/invitations/*',
  '/projects',
  '/projects/*',
  '/trash',
  '/explore',
  '/new',
  '/new/*',
  '/webhooks',
  '/webhooks/*',
  '/settings',
  '/settings/*',
  '/admin',
  '/admin/*',
  '/join/*',
];
