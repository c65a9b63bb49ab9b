export { staysInside } from './inside-link.ts';
