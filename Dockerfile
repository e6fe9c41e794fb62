# docker build --tag seaworthy .
# docker run --rm --network host --user "$(id -u)" --volume "$PWD:/work" seaworthy receiver http://localhost:3000/hooks
ARG NODE=node:24-slim

FROM ${NODE} AS pack
WORKDIR /src
COPY . .
RUN npm ci && mkdir /pack && npm pack --pack-destination /pack

FROM ${NODE}
COPY --from=pack /pack/ /pack/
# Whichever user it runs as writes its journal there.
RUN npm install --global --ignore-scripts /pack/*.tgz && rm -r /pack && install --directory --mode 1777 /work
USER node
WORKDIR /work
ENTRYPOINT ["seaworthy"]
