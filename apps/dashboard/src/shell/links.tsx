import { Anchor, Button } from '@mantine/core';
import { createLink } from '@tanstack/react-router';

/** Mantine's looks with the router's types: an address that does not exist does not compile. */
export const ButtonLink = createLink(Button<'a'>);
export const AnchorLink = createLink(Anchor<'a'>);
