export { useMay, usePage, useStore } from '../components/page-context.ts';
