import './shell/first-styles.css';
import './dashboard.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { afterContent, watchContent } from './api/after-content.ts';
import { ApiError } from './api/client.ts';
import { Happenings } from './api/happenings.tsx';
import { newQueryClient } from './api/query-client.ts';
import { styleNonce } from './kit/style-nonce.ts';
import { newRouter } from './router.tsx';
import { languageBeforeSignIn, Preferences } from './shell/preferences.tsx';
import { loadTextFont } from './shell/text-font.ts';
import { contrast, theme } from './theme.ts';
import { isReady, loadLanguage } from './words/load-language.ts';

// The nonce for the package that prevents the page behind a dialog from scrolling. That package adds its own style.
Object.assign(globalThis, { __webpack_nonce__: styleNonce });

loadTextFont();

const Overlays = lazy(() => afterContent(() => import('./shell/overlays.tsx')));
const queryClient = newQueryClient();
const router = newRouter(queryClient);
const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

// A refusal by the service, which the error screen shows, is not a bug of the page. Any other error is.
const onCaughtError = (error: unknown) => {
  if (!(error instanceof ApiError)) reportError(error);
};

const page = (
  <MantineProvider
    theme={theme}
    cssVariablesResolver={contrast}
    defaultColorScheme="auto"
    getStyleNonce={() => styleNonce}
  >
    <QueryClientProvider client={queryClient}>
      <Preferences>
        <Happenings>
          <RouterProvider router={router} />
        </Happenings>
        <Suspense fallback={null}>
          <Overlays />
        </Suspense>
      </Preferences>
    </QueryClientProvider>
  </MantineProvider>
);

function show(root: HTMLElement) {
  createRoot(root, { onCaughtError }).render(page);
  watchContent(() => router.state.status === 'idle' && queryClient.isFetching() === 0);
}
const language = languageBeforeSignIn();
// The skeleton of the page stays until the texts of the user's language are loaded.
if (isReady(language)) show(root);
else void loadLanguage(language).then(() => show(root));
