/**
 * The addresses below which the dashboard has screens. All of them are named, so that an unknown address goes on being
 * the documented 404, and no screen can ever stand before a route of the API.
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
