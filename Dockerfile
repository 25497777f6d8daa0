# The locked environment, LaTeX and the project in one image; docs/cluster.md says how to run it.
#   docker build --tag shapaudit .
# BASE may be any Debian 12 or later, or Ubuntu of 24.04 or later, from wherever images are had.
ARG BASE=debian:bookworm-slim
FROM ${BASE}

RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends \
        ca-certificates git make python3 python3-venv \
    && rm -rf /var/lib/apt/lists/*

# The packages of LaTeX are named in one place; that script does not fail, so what it leaves is tried.
WORKDIR /opt/shapaudit
COPY workflow/setup workflow/setup
RUN bash workflow/setup/install_latex.sh \
    && latexmk --version \
    && rm -rf /var/lib/apt/lists/* logs

# Nobody in particular: the image runs under any user, who needs no home.
RUN useradd --uid 1000 --create-home shapaudit \
    && chown shapaudit /opt/shapaudit
COPY --chown=shapaudit . .
USER shapaudit
RUN bash workflow/setup/install_python.sh && rm -rf ~/.cache ~/.config

# What libraries ask of a user whom the image does not know.
ENV PATH=/opt/shapaudit/.venv/bin:$PATH \
    HOME=/tmp \
    USER=shapaudit
ENTRYPOINT ["snakemake"]
CMD ["--cores", "all"]
