export { ArtilleryEngine as default } from 'seaworthy/artillery';
